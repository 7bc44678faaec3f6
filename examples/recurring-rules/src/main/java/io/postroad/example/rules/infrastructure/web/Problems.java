package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.application.IdempotencyKeyTakenException;
import io.postroad.example.rules.application.NotFoundException;
import io.postroad.example.rules.application.StaleRuleException;
import io.postroad.example.rules.application.UnreadableRuleException;
import io.postroad.example.rules.domain.InvalidRuleException;
import io.postroad.example.rules.domain.RuleStateException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Answers errors as {@code application/problem+json} with field and reason. Precedes Spring Boot's
 * own handler, which does not name fields.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  @ExceptionHandler
  ProblemDetail invalid(InvalidRuleException invalid) {
    return ofField(invalid.getField(), invalid.getReason());
  }

  /** Answers invalid JSON, or a field of the wrong type. */
  @ExceptionHandler
  ProblemDetail unreadable(HttpMessageNotReadableException unreadable) {
    if (unreadable.getCause() instanceof MismatchedInputException mismatched) {
      List<JacksonException.Reference> path = mismatched.getPath();
      if (!path.isEmpty() && path.get(path.size() - 1).getPropertyName() != null) {
        return ofField(
            path.get(path.size() - 1).getPropertyName(),
            mismatched instanceof UnrecognizedPropertyException
                ? "is not known"
                : "cannot be read");
      }
    }
    return ofField("body", "must be a JSON object");
  }

  /** Answers an invalid number in the query. */
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

  /** Answers an unreadable rule. Its cause names a field, too, but not one of the request. */
  @ExceptionHandler
  ProblemDetail unreadable(UnreadableRuleException unreadable) {
    LOG.error("recurring-rules a stored rule must be mended", unreadable);
    return of(
        HttpStatus.INTERNAL_SERVER_ERROR,
        "Unreadable",
        "ruleId",
        "is of a rule that is unreadable");
  }

  /** Answers before any change: an answer that cannot be written would hide the change. */
  @ExceptionHandler
  ProblemDetail notAcceptable(HttpMediaTypeNotAcceptableException refused) {
    return of(HttpStatus.NOT_ACCEPTABLE, "Not acceptable", "Accept", "must allow application/json");
  }

  @ExceptionHandler
  ProblemDetail unknown(NotFoundException unknown) {
    return of(HttpStatus.NOT_FOUND, "Not found", unknown.getField(), "is of nothing that is known");
  }

  @ExceptionHandler
  ProblemDetail stale(StaleRuleException stale) {
    return of(HttpStatus.CONFLICT, "Changed in between", "version", "is not the rule's any more");
  }

  @ExceptionHandler
  ProblemDetail taken(IdempotencyKeyTakenException taken) {
    return of(HttpStatus.CONFLICT, "Key taken", "idempotencyKey", "was used for another rule");
  }

  @ExceptionHandler
  ProblemDetail notPossible(RuleStateException refused) {
    return of(
        HttpStatus.CONFLICT,
        "Not possible",
        "status",
        "is %s: the rule cannot be %s".formatted(refused.getStatus(), refused.getWanted()));
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
