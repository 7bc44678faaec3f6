package io.postroad.example.wiki.domain;

/** Finds the text of an included page. */
@FunctionalInterface
public interface Includes {
  String textOf(String pageId);
}
