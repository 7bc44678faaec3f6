/** Pages, revisions, media and the rendering of wiki text, without databases and HTTP. */
@NullMarked
package io.postroad.example.wiki.domain;

import org.jspecify.annotations.NullMarked;
