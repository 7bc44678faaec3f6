package io.postroad.example.payments.infrastructure.web;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Answers requests that the API refuses. */
@Singleton
final class ProblemHandler implements ExceptionHandler<ProblemException, HttpResponse<Problem>> {

  @Override
  @SuppressWarnings("rawtypes") // the raw type of Micronaut's interface
  public HttpResponse<Problem> handle(HttpRequest request, ProblemException problem) {
    return Problem.response(problem.status(), problem.field(), problem.reason());
  }
}
