package io.postroad.example.payment.infrastructure.adapter.in.web;

import io.postroad.admin.NotPossibleException;
import io.postroad.example.payment.application.port.out.PaymentExistsException;
import io.postroad.example.payment.domain.InvalidPaymentException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * What went wrong, as {@code application/problem+json}: which field, and why. Before Spring Boot's
 * own, which knows no fields.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class Problems {

  @ExceptionHandler
  ProblemDetail invalid(InvalidPaymentException invalid) {
    return ofField(invalid.getField(), invalid.getReason());
  }

  /** JSON that is none, or a field of the wrong kind. */
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

  /** An id that is none. */
  @ExceptionHandler
  ProblemDetail mistyped(MethodArgumentTypeMismatchException mistyped) {
    return ofField(mistyped.getName(), "cannot be read");
  }

  private static ProblemDetail ofField(String field, String reason) {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(
            HttpStatus.BAD_REQUEST, "%s %s; nothing was changed".formatted(field, reason));
    problem.setTitle("Invalid request");
    problem.setProperty("field", field);
    problem.setProperty("reason", reason);
    return problem;
  }

  @ExceptionHandler
  ProblemDetail exists(PaymentExistsException exists) {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(
            HttpStatus.CONFLICT, exists.getMessage() + "; nothing was changed");
    problem.setTitle("Payment exists");
    problem.setProperty("field", "paymentId");
    problem.setProperty("reason", "was approved before");
    return problem;
  }

  @ExceptionHandler
  ProblemDetail notPossible(NotPossibleException refused) {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, String.valueOf(refused.getMessage()));
    problem.setTitle("Not possible");
    return problem;
  }
}
