package io.postroad.example.payments.infrastructure.web;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;

/** The body of every refusal, as in RFC 9457. */
@Introspected
public record Problem(
    String type, String title, int status, String detail, String field, String reason) {

  static MutableHttpResponse<Problem> response(HttpStatus status, String field, String reason) {
    return HttpResponse.<Problem>status(status)
        .contentType(MediaType.APPLICATION_JSON_PROBLEM_TYPE)
        .body(of(status, field, reason));
  }

  static Problem of(HttpStatus status, String field, String reason) {
    return new Problem(
        "about:blank", status.getReason(), status.getCode(), field + " " + reason, field, reason);
  }
}
