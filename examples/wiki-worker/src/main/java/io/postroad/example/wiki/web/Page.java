package io.postroad.example.wiki.web;

import io.postroad.example.wiki.domain.Html;
import java.util.Arrays;

/** Builds an HTML page. All inserted texts are escaped. */
final class Page {
  private final StringBuilder html = new StringBuilder();
  private final String title;
  private String head = "";

  private Page(String title) {
    this.title = title;
  }

  static Page of(String title) {
    return new Page(title);
  }

  /** Adds HTML with escaped texts in its placeholders. */
  Page add(String ours, Object... texts) {
    Object[] escaped =
        Arrays.stream(texts).map(text -> Html.escape(String.valueOf(text))).toArray();
    html.append(escaped.length == 0 ? ours : ours.formatted(escaped)).append('\n');
    return this;
  }

  /** Adds a snapshot, which is escaped already. */
  Page addRendered(String rendered) {
    html.append("<article>\n").append(rendered).append("</article>\n");
    return this;
  }

  /** Makes the browser reload the page after a second. */
  Page again() {
    head = "<meta http-equiv=\"refresh\" content=\"1\">";
    return this;
  }

  Reply reply(int status) {
    return Reply.of(
        status,
        "text/html",
        """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>%s</title>%s<link rel="stylesheet" href="/style.css"></head>
        <body>
        <nav><a href="/">Wiki</a> <a href="/outbox">Outbox</a>
        <form action="/search"><input name="q" aria-label="Search" maxlength="200"> <button>Search</button></form></nav>
        <main>
        <h1>%s</h1>
        %s</main>
        </body>
        </html>
        """
            .formatted(Html.escape(title), head, Html.escape(title), html));
  }
}
