package io.postroad.example.wiki.web;

import io.postroad.example.wiki.domain.Draft;
import io.postroad.example.wiki.domain.Lengths;
import io.postroad.example.wiki.domain.RefusedException;
import io.postroad.example.wiki.domain.Revision;
import io.postroad.example.wiki.domain.Slug;
import io.postroad.example.wiki.domain.Snapshot;
import io.postroad.example.wiki.store.MediaLibrary;
import io.postroad.example.wiki.store.Revisions;
import io.postroad.example.wiki.store.SearchIndex;
import io.postroad.example.wiki.store.Snapshots;
import io.postroad.example.wiki.store.Wiki;
import io.postroad.example.wiki.work.Editor;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Pages, search and edits as HTML. Needs no scripts in the browser. */
final class WikiPages {
  private static final int LISTED = 50;

  private final Editor editor;
  private final Revisions revisions;
  private final Snapshots snapshots;
  private final SearchIndex index;
  private final MediaLibrary media;
  private final Rendering rendering;

  WikiPages(Editor editor, Wiki wiki, Rendering rendering) {
    this.editor = editor;
    this.revisions = wiki.revisions();
    this.snapshots = wiki.snapshots();
    this.index = wiki.index();
    this.media = wiki.media();
    this.rendering = rendering;
  }

  void addTo(Router router) {
    router
        .on("GET", "/", request -> latest())
        .on("GET", "/new", this::create)
        .on("GET", "/pages/{page_id}", this::show)
        .on("GET", "/pages/{page_id}/edit", this::edit)
        .on("POST", "/pages/{page_id}", this::save)
        .on("GET", "/search", this::search);
  }

  private Reply latest() {
    Page page = Page.of("Latest edits").add("<ul>");
    for (Revision revision : revisions.latest(LISTED)) {
      page.add(
          "<li><a href=\"/pages/%s\">%s</a>, revision %s by %s, %s</li>",
          revision.pageId(),
          revision.title(),
          revision.revisionId(),
          revision.author(),
          revision.createdAt());
    }
    return page.add("</ul>")
        .add(
            "<form action=\"/new\"><label>New page <input name=\"page_id\" required"
                + " maxlength=\"100\" placeholder=\"lower-case-name\"></label>"
                + " <button>Write it</button></form>")
        .reply(200);
  }

  private Reply create(Request request) {
    return Reply.seeOther("/pages/" + Slug.require("page_id", request.query("page_id")) + "/edit");
  }

  private Reply show(Request request) {
    String pageId = Slug.require("page_id", request.path("page_id"));
    Optional<Revision> head = revisions.head(pageId);
    if (head.isEmpty()) {
      return Page.of(pageId)
          .add(
              "<p>This page does not exist yet. <a href=\"/pages/%s/edit\">Write it</a></p>",
              pageId)
          .reply(404);
    }
    Optional<Snapshot> snapshot = snapshots.newest(pageId);
    Page page = Page.of(snapshot.map(Snapshot::title).orElse(head.get().title()));
    if (snapshot.map(Snapshot::revisionId).orElse(0L) < head.get().revisionId()) {
      waits(page, head.get());
    }
    snapshot.ifPresent(rendered -> page.addRendered(rendered.html()));
    pictures(page, pageId);
    page.add("<p><a href=\"/pages/%s/edit\">Edit</a></p>", pageId);
    history(page, pageId);
    return page.reply(200);
  }

  private void waits(Page page, Revision head) {
    Optional<String> error = rendering.whyNot(head);
    if (error.isPresent()) {
      page.add(
          "<p class=\"waits\">Revision %s cannot be rendered: %s. It is among the dead letters of"
              + " the <a href=\"/outbox\">outbox</a>.</p>",
          head.revisionId(), error.get());
    } else {
      page.add("<p class=\"waits\">Revision %s is being rendered.</p>", head.revisionId());
      page.again();
    }
  }

  private void pictures(Page page, String pageId) {
    media
        .ofPage(pageId, LISTED)
        .forEach(
            picture ->
                page.add(
                    "<p>Picture %s, %s x %s, thumbnails: %s</p>",
                    picture.fileName(),
                    picture.width(),
                    picture.height(),
                    media.thumbnails(picture.mediaId()).size()));
  }

  private void history(Page page, String pageId) {
    page.add("<h2>History</h2>").add("<ol reversed>");
    for (Revision revision : revisions.history(pageId, LISTED)) {
      page.add(
          "<li value=\"%s\">%s, %s</li>",
          revision.revisionId(), revision.author(), revision.createdAt());
    }
    page.add("</ol>");
  }

  private Reply edit(Request request) {
    String pageId = Slug.require("page_id", request.path("page_id"));
    Optional<Revision> head = revisions.head(pageId);
    return Page.of("Edit " + pageId)
        .add(
            """
            <form method="post" action="/pages/%s">
            <input type="hidden" name="base_revision" value="%s">
            <p><label>Title <input name="title" required maxlength="%s" value="%s"></label></p>
            <p><textarea name="text" aria-label="Text" rows="20" required maxlength="%s">
            %s</textarea></p>
            <p><label>Your name <input name="author" required maxlength="%s"></label> <button>Save</button></p>
            </form>
            """,
            pageId,
            head.map(Revision::revisionId).orElse(0L),
            Lengths.TITLE,
            head.map(Revision::title).orElse(""),
            Lengths.TEXT,
            head.map(Revision::text).orElse(""),
            Lengths.AUTHOR)
        .reply(200);
  }

  private Reply save(Request request) throws IOException {
    Map<String, String> form = request.form();
    Revision saved =
        editor.save(
            new Draft(
                request.path("page_id"),
                baseRevision(field(form, "base_revision")),
                field(form, "title"),
                field(form, "text"),
                field(form, "author")));
    return Reply.seeOther("/pages/" + saved.pageId());
  }

  private static String field(Map<String, String> form, String name) {
    return Optional.ofNullable(form.get(name))
        .orElseThrow(() -> RefusedException.invalid(name, "is missing"));
  }

  private static long baseRevision(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException other) {
      throw RefusedException.invalid("base_revision", "must be a whole number");
    }
  }

  private Reply search(Request request) {
    String words = WikiApi.words(request);
    Page page = Page.of("Search: " + words).add("<ul>");
    index
        .search(words, LISTED)
        .forEach(
            hit ->
                page.add(
                    "<li><a href=\"/pages/%s\">%s</a>, revision %s</li>",
                    hit.pageId(), hit.title(), hit.revisionId()));
    return page.add("</ul>").reply(200);
  }
}
