package io.postroad.example.wiki.domain;

/** A revision as safe HTML: all user input is escaped. */
public record Snapshot(String pageId, long revisionId, String title, String html) {}
