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
 * What went wrong, as {@code application/problem+json}: which field, and why. Before Spring Boot's
 * own, which knows no fields.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class Problems {

  @ExceptionHandler
  ProblemDetail invalid(InvalidDealException invalid) {
    return of(HttpStatus.BAD_REQUEST, "Invalid request", invalid.getField(), invalid.getReason());
  }

  /** JSON that is none, or a field of the wrong kind. */
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

  /** A body that does not say it is JSON. */
  @ExceptionHandler
  ProblemDetail unsupported(HttpMediaTypeNotSupportedException unsupported) {
    return of(
        HttpStatus.UNSUPPORTED_MEDIA_TYPE,
        "Unsupported content",
        "Content-Type",
        "must be application/json");
  }

  /**
   * An answer is wanted that is not JSON, or nobody can tell what is wanted. It is told in JSON all
   * the same, because there is nothing else.
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
