package io.postroad.example.market.app.web;

import io.postroad.example.market.deal.DealExistsException;
import io.postroad.example.market.deal.DealStateException;
import io.postroad.example.market.deal.InvalidDealException;
import io.postroad.example.market.deal.UnknownDealException;
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
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Answers errors as {@code application/problem+json} with field and reason. Precedes Spring Boot's
 * own handler, which does not name fields.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class Problems {

  @ExceptionHandler
  ProblemDetail invalid(InvalidDealException invalid) {
    return of(HttpStatus.BAD_REQUEST, "Invalid request", invalid.getField(), invalid.getReason());
  }

  /** Answers invalid JSON, or a field of the wrong type. */
  @ExceptionHandler
  ProblemDetail unreadable(HttpMessageNotReadableException unreadable) {
    if (unreadable.getCause() instanceof MismatchedInputException mismatched
        && !mismatched.getPath().isEmpty()) {
      int last = mismatched.getPath().size() - 1;
      String field = String.valueOf(mismatched.getPath().get(last).getPropertyName());
      return of(HttpStatus.BAD_REQUEST, "Invalid request", field, "cannot be read");
    }
    return of(HttpStatus.BAD_REQUEST, "Invalid request", "body", "must be a JSON object");
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
  ProblemDetail unknown(UnknownDealException unknown) {
    return of(HttpStatus.NOT_FOUND, "Unknown deal", "dealId", "is of no deal");
  }

  @ExceptionHandler
  ProblemDetail exists(DealExistsException exists) {
    return of(HttpStatus.CONFLICT, "Deal exists", "dealId", "is of a deal that was created before");
  }

  @ExceptionHandler
  ProblemDetail notInThisStatus(DealStateException refused) {
    return of(HttpStatus.CONFLICT, "Not possible", "status", refused.getReason());
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
