package io.postroad.example.wiki.web;

import io.postroad.example.wiki.domain.Draft;
import io.postroad.example.wiki.domain.Media;
import io.postroad.example.wiki.domain.RefusedException;
import io.postroad.example.wiki.domain.Revision;
import io.postroad.example.wiki.domain.Slug;
import io.postroad.example.wiki.domain.Snapshot;
import io.postroad.example.wiki.domain.Thumbnail;
import io.postroad.example.wiki.store.MediaLibrary;
import io.postroad.example.wiki.store.Revisions;
import io.postroad.example.wiki.store.SearchIndex;
import io.postroad.example.wiki.store.Snapshots;
import io.postroad.example.wiki.store.Wiki;
import io.postroad.example.wiki.work.Editor;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Pages, search and media for programs. Thread-safe. */
final class WikiApi {
  private static final int LISTED = 50;
  private static final int MAX_WORDS = 200;
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");

  private final Json json;
  private final Editor editor;
  private final Revisions revisions;
  private final Snapshots snapshots;
  private final SearchIndex index;
  private final MediaLibrary media;
  private final Rendering rendering;
  private final InstantSource clock;

  WikiApi(Json json, Editor editor, Wiki wiki, Rendering rendering, InstantSource clock) {
    this.json = json;
    this.editor = editor;
    this.revisions = wiki.revisions();
    this.snapshots = wiki.snapshots();
    this.index = wiki.index();
    this.media = wiki.media();
    this.rendering = rendering;
    this.clock = clock;
  }

  void addTo(Router router) {
    router
        .on("PUT", "/api/pages/{page_id}", this::save)
        .on("GET", "/api/pages/{page_id}", this::page)
        .on("GET", "/api/pages/{page_id}/revisions/{revision_id}", this::snapshot)
        .on("GET", "/api/search", this::search)
        .on("POST", "/api/media", this::upload)
        .on("GET", "/api/media/{media_id}", this::media);
  }

  private Reply save(Request request) throws IOException {
    Json.Body body = json.body(request, List.of("base_revision", "title", "text", "author"));
    Revision saved =
        editor.save(
            new Draft(
                request.path("page_id"),
                body.number("base_revision"),
                body.text("title"),
                body.text("text"),
                body.text("author")));
    return json.reply(
            201, Json.object("page_id", saved.pageId(), "revision_id", saved.revisionId()))
        .with(
            "Location", "/api/pages/%s/revisions/%d".formatted(saved.pageId(), saved.revisionId()));
  }

  private Reply page(Request request) {
    String pageId = Slug.require("page_id", request.path("page_id"));
    Revision head = revisions.head(pageId).orElseThrow(WikiApi::noPage);
    long rendered = snapshots.newest(pageId).map(Snapshot::revisionId).orElse(0L);
    boolean behind = rendered < head.revisionId();
    return json.reply(
        200,
        Json.object(
            "page_id", head.pageId(),
            "revision_id", head.revisionId(),
            "title", head.title(),
            "text", head.text(),
            "author", head.author(),
            "created_at", head.createdAt().toString(),
            "rendered_revision", rendered,
            "render_error", behind ? rendering.whyNot(head).orElse("") : "",
            "indexed", index.has(pageId, head.revisionId())));
  }

  private static RefusedException noPage() {
    return RefusedException.notFound("page_id", "is of no page");
  }

  private Reply snapshot(Request request) {
    String pageId = Slug.require("page_id", request.path("page_id"));
    if (!NUMBER.matcher(request.path("revision_id")).matches()) {
      throw RefusedException.invalid("revision_id", "must be a whole number, 1 or more");
    }
    long revisionId = Long.parseLong(request.path("revision_id"));
    Snapshot found =
        snapshots
            .find(pageId, revisionId)
            .orElseThrow(
                () ->
                    RefusedException.notFound("revision_id", "is of no revision that is rendered"));
    return json.reply(
        200,
        Json.object(
            "page_id", found.pageId(),
            "revision_id", found.revisionId(),
            "title", found.title(),
            "html", found.html()));
  }

  private Reply search(Request request) {
    List<Map<String, Object>> hits =
        index.search(words(request), LISTED).stream()
            .map(
                hit ->
                    Json.object(
                        "page_id", hit.pageId(),
                        "revision_id", hit.revisionId(),
                        "title", hit.title()))
            .toList();
    return json.reply(200, Json.object("hits", hits));
  }

  /** Returns the search words of a request. */
  static String words(Request request) {
    String words = request.query("q");
    if (words.isBlank() || words.length() > MAX_WORDS) {
      throw RefusedException.invalid("q", "must have 1 to %d characters".formatted(MAX_WORDS));
    }
    return words;
  }

  private Reply upload(Request request) throws IOException {
    Json.Body body =
        json.body(
            request,
            List.of("media_id", "page_id", "file_name", "content_type", "width", "height"));
    Media picture =
        new Media(
            body.text("media_id"),
            body.text("page_id"),
            body.text("file_name"),
            body.text("content_type"),
            body.number("width"),
            body.number("height"),
            clock.instant());
    editor.upload(picture);
    return json.reply(201, Json.object("media_id", picture.mediaId()))
        .with("Location", "/api/media/" + picture.mediaId());
  }

  private Reply media(Request request) {
    String mediaId = Slug.require("media_id", request.path("media_id"));
    Media picture =
        media
            .find(mediaId)
            .orElseThrow(() -> RefusedException.notFound("media_id", "is of no picture"));
    return json.reply(
        200,
        Json.object(
            "media_id", picture.mediaId(),
            "page_id", picture.pageId(),
            "file_name", picture.fileName(),
            "content_type", picture.contentType(),
            "width", picture.width(),
            "height", picture.height(),
            "thumbnails", media.thumbnails(mediaId).stream().map(WikiApi::thumbnail).toList()));
  }

  private static Map<String, Object> thumbnail(Thumbnail thumbnail) {
    return Json.object(
        "box", thumbnail.box(), "width", thumbnail.width(), "height", thumbnail.height());
  }
}
