package io.postroad.example.wiki.web;

import io.postroad.admin.NotPossibleException;
import io.postroad.example.wiki.domain.RefusedException;

/**
 * The reason of a refused request: {@code application/problem+json} for programs, a page for
 * people.
 */
record Problem(int status, String title, String field, String reason) {

  /** Returns the problem for a failure. */
  static Problem of(Throwable failed) {
    if (failed instanceof ProblemException problem) {
      return problem.problem();
    }
    if (failed instanceof RefusedException refused) {
      return switch (refused.kind()) {
        case INVALID -> new Problem(400, "Invalid request", refused.field(), refused.reason());
        case NOT_FOUND -> new Problem(404, "Not found", refused.field(), refused.reason());
        case CONFLICT -> new Problem(409, "Conflict", refused.field(), refused.reason());
      };
    }
    if (failed instanceof NotPossibleException) {
      return new Problem(409, "Not possible", "id", "is of an event that is not dead");
    }
    return new Problem(500, "Failed", "request", "could not be executed; see the log");
  }

  boolean isOurs() {
    return status >= 500;
  }

  /** Returns the detail, which says if nothing was changed. */
  private String detail() {
    return isOurs()
        ? "%s %s".formatted(field, reason)
        : "%s %s; nothing was changed".formatted(field, reason);
  }

  Reply asJson(Json json) {
    return json.reply(
            status,
            Json.object(
                "type", "about:blank",
                "title", title,
                "status", status,
                "detail", detail(),
                "field", field,
                "reason", reason))
        .as("application/problem+json");
  }

  Reply asPage() {
    return Page.of(title)
        .add("<p class=\"problem\">%s</p>", detail())
        .add("<p><a href=\"/\">All pages</a></p>")
        .reply(status);
  }
}
