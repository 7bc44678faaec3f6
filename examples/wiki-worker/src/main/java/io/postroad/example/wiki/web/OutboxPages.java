package io.postroad.example.wiki.web;

import io.postroad.store.DeadLetter;
import java.io.IOException;

/** Shows the outbox as HTML: the number of events per status, and the dead letters. */
final class OutboxPages {
  private final OutboxApi outbox;

  OutboxPages(OutboxApi outbox) {
    this.outbox = outbox;
  }

  void addTo(Router router) {
    router
        .on("GET", "/outbox", request -> show())
        .on("POST", "/outbox/dead/{id}/replay", this::replay);
  }

  private Reply show() {
    Page page = Page.of("Outbox").add("<table><tr><th>status</th><th>events</th></tr>");
    outbox
        .counts()
        .forEach((status, count) -> page.add("<tr><td>%s</td><td>%s</td></tr>", status, count));
    page.add("</table>").add("<h2>Dead letters</h2>");
    for (DeadLetter letter : outbox.letters()) {
      page.add(
          """
          <form method="post" action="/outbox/dead/%s/replay">
          <p>%s of %s in stream %s, after %s attempts: %s</p>
          <p><input name="by" aria-label="Your name" required maxlength="200"> <input name="reason" aria-label="Reason" required maxlength="2000"> <button>Try again</button></p>
          </form>
          """,
          letter.id(),
          letter.message().type(),
          letter.message().aggregateId().orElse(""),
          letter.message().destination(),
          letter.attempts(),
          letter.error());
    }
    return page.reply(200);
  }

  private Reply replay(Request request) throws IOException {
    var form = request.form();
    outbox.replay(request.path("id"), form.getOrDefault("by", ""), form.getOrDefault("reason", ""));
    return Reply.seeOther("/outbox");
  }
}
