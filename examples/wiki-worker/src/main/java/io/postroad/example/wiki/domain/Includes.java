package io.postroad.example.wiki.domain;

/** Finds the text of a page that another one includes. */
@FunctionalInterface
public interface Includes {
  String textOf(String pageId);
}
