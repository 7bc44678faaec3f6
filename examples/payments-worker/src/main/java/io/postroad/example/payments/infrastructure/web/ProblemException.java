package io.postroad.example.payments.infrastructure.web;

import io.micronaut.http.HttpStatus;

/** Thrown for a refused request, with the wrong field and the reason. Nothing was stored. */
final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final HttpStatus status;
  private final String field;
  private final String reason;

  ProblemException(HttpStatus status, String field, String reason) {
    super(field + " " + reason);
    this.status = status;
    this.field = field;
    this.reason = reason;
  }

  static ProblemException invalid(String field, String reason) {
    return new ProblemException(HttpStatus.BAD_REQUEST, field, reason);
  }

  static ProblemException unknown(String field, String reason) {
    return new ProblemException(HttpStatus.NOT_FOUND, field, reason);
  }

  static ProblemException conflict(String field, String reason) {
    return new ProblemException(HttpStatus.CONFLICT, field, reason);
  }

  HttpStatus status() {
    return status;
  }

  String field() {
    return field;
  }

  String reason() {
    return reason;
  }
}
