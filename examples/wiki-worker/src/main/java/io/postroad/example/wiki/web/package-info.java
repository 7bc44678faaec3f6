/** HTTP: pages for people, a JSON API for programs. */
@NullMarked
package io.postroad.example.wiki.web;

import org.jspecify.annotations.NullMarked;
