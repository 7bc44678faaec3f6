/** Pages, revisions, media and how wiki text becomes HTML; knows nothing of databases and HTTP. */
@NullMarked
package io.postroad.example.wiki.domain;

import org.jspecify.annotations.NullMarked;
