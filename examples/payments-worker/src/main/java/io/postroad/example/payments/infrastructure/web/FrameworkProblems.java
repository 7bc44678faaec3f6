package io.postroad.example.payments.infrastructure.web;

import io.micronaut.context.annotation.Primary;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Answers requests that Micronaut refuses before they reach the API, and internal errors. */
@Singleton
@Primary
final class FrameworkProblems implements ErrorResponseProcessor<Problem> {

  @Override
  public MutableHttpResponse<Problem> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    HttpStatus status = response.status();
    return response
        .contentType(MediaType.APPLICATION_JSON_PROBLEM_TYPE)
        .body(Problem.of(status, field(status), reason(status, context)));
  }

  private static String field(HttpStatus status) {
    return switch (status) {
      case NOT_FOUND -> "path";
      case METHOD_NOT_ALLOWED -> "method";
      case UNSUPPORTED_MEDIA_TYPE -> "Content-Type";
      case NOT_ACCEPTABLE -> "Accept";
      case INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE -> "server";
      default -> "body";
    };
  }

  /** Returns the reason; internal errors are only logged. */
  private static String reason(HttpStatus status, ErrorContext context) {
    return switch (status) {
      case NOT_FOUND -> "is not known";
      case METHOD_NOT_ALLOWED -> "is not possible here";
      case UNSUPPORTED_MEDIA_TYPE -> "must be application/json";
      case NOT_ACCEPTABLE -> "must allow application/json";
      case INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE -> "failed; try again later";
      default -> context.hasErrors() ? context.getErrors().get(0).getMessage() : "cannot be read";
    };
  }
}
