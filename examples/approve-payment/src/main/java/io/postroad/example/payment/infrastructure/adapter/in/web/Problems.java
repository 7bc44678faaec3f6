package io.postroad.example.payment.infrastructure.adapter.in.web;

import io.postroad.admin.NotPossibleException;
import io.postroad.example.payment.application.port.out.PaymentExistsException;
import io.postroad.example.payment.domain.InvalidPaymentException;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.UnknownEventException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Answers errors as {@code application/problem+json} with field and reason. Precedes Spring Boot's
 * own handler, which does not name fields.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class Problems {

  @ExceptionHandler
  ProblemDetail invalid(InvalidPaymentException invalid) {
    return ofField(invalid.getField(), invalid.getReason());
  }

  /** Answers invalid JSON, or a field of the wrong type. */
  @ExceptionHandler
  ProblemDetail unreadable(HttpMessageNotReadableException unreadable) {
    if (unreadable.getCause() instanceof MismatchedInputException mismatched
        && !mismatched.getPath().isEmpty()) {
      String field =
          String.valueOf(
              mismatched.getPath().get(mismatched.getPath().size() - 1).getPropertyName());
      return ofField(field, "cannot be read");
    }
    return ofField("body", "must be a JSON object");
  }

  /** Answers an invalid id. */
  @ExceptionHandler
  ProblemDetail mistyped(MethodArgumentTypeMismatchException mistyped) {
    return ofField(mistyped.getName(), "cannot be read");
  }

  /** Answers a body without the content type of JSON. */
  @ExceptionHandler
  ProblemDetail unsupported(HttpMediaTypeNotSupportedException unsupported) {
    return of(
        HttpStatus.UNSUPPORTED_MEDIA_TYPE,
        "Unsupported content",
        "Content-Type",
        "must be application/json");
  }

  /**
   * Answers a request for another format than JSON, or with an unreadable Accept header. The answer
   * is JSON, because there is no other format.
   */
  @ExceptionHandler
  ResponseEntity<ProblemDetail> notAcceptable(HttpMediaTypeNotAcceptableException refused) {
    return ResponseEntity.status(HttpStatus.NOT_ACCEPTABLE)
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(
            of(
                HttpStatus.NOT_ACCEPTABLE,
                "Not acceptable",
                "Accept",
                "must allow application/json"));
  }

  @ExceptionHandler
  ProblemDetail exists(PaymentExistsException exists) {
    return of(HttpStatus.CONFLICT, "Payment exists", "paymentId", "was approved before");
  }

  @ExceptionHandler
  ProblemDetail unknown(UnknownEventException unknown) {
    return of(HttpStatus.NOT_FOUND, "Unknown event", "id", "is of no event in the outbox");
  }

  @ExceptionHandler
  ProblemDetail notPossible(NotPossibleException refused) {
    return of(HttpStatus.CONFLICT, "Not possible", "id", "is of an event that has not failed");
  }

  private static ProblemDetail ofField(String field, String reason) {
    return of(HttpStatus.BAD_REQUEST, "Invalid request", field, reason);
  }

  private static ProblemDetail of(HttpStatus status, String title, String field, String reason) {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(
            status, "%s %s; nothing was changed".formatted(field, reason));
    problem.setTitle(title);
    problem.setProperty("field", field);
    problem.setProperty("reason", reason);
    return problem;
  }
}
