package io.postroad.example.wiki.domain;

/** A revision as HTML, which is safe to be shown: whatever people wrote is escaped in it. */
public record Snapshot(String pageId, long revisionId, String title, String html) {}
