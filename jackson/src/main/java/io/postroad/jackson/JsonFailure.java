package io.postroad.jackson;

import io.postroad.jackson.JsonText.UnfitText;
import io.postroad.message.JsonCodecException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Converts Jackson's failures to exceptions that never quote the content, which Jackson's texts do.
 */
final class JsonFailure {
  private JsonFailure() {}

  static JsonCodecException writing(Class<?> type, RuntimeException failure) {
    return failure("cannot write a " + type.getName() + " as JSON: ", failure);
  }

  static JsonCodecException reading(Class<?> type, RuntimeException failure) {
    return failure("cannot read JSON as a " + type.getName() + ": ", failure);
  }

  private static JsonCodecException failure(String tried, RuntimeException failure) {
    if (!(failure instanceof JacksonException jackson)) {
      String wrong =
          failure instanceof UnfitText
              ? failure.getMessage()
              : "its own code threw " + name(failure);
      return new JsonCodecException(tried + wrong, failure);
    }
    Throwable own = applicationCause(jackson);
    return new JsonCodecException(
        tried + wrong(jackson, own) + place(jackson), own != null ? own : new Redacted(jackson));
  }

  private static String wrong(JacksonException failure, @Nullable Throwable own) {
    if (failure instanceof StreamConstraintsException) {
      // Lengths and limits only: this text never quotes the content.
      return String.valueOf(failure.getOriginalMessage());
    }
    if (own != null) {
      String whose =
          failure instanceof ValueInstantiationException ? "the constructor" : "code of the class";
      return whose + " threw " + name(own) + " (see the cause)";
    }
    if (failure instanceof UnexpectedEndOfInputException) {
      return "the text ends too early";
    }
    if (failure instanceof StreamReadException) {
      return String.valueOf(failure.getOriginalMessage()).startsWith("Duplicate")
          ? "a key occurs twice in one object"
          : "the text is not JSON";
    }
    if (failure instanceof InvalidTypeIdException) {
      return "no known subtype is named; declare subtypes by name, class names are never read";
    }
    if (failure instanceof UnrecognizedPropertyException unknown) {
      return "a field does not fit, %s has %s only"
          .formatted(unknown.getReferringClass().getName(), known(unknown));
    }
    if (failure instanceof MismatchedInputException mismatch) {
      Class<?> target = mismatch.getTargetType();
      return "a value does not fit" + (target == null ? "" : " a " + target.getName());
    }
    if (failure instanceof InvalidDefinitionException definition) {
      String type = definition.getType() == null ? "it" : definition.getType().toCanonical();
      return "Jackson cannot handle "
          + type
          + "; check the properties and constructors of the class";
    }
    return "Jackson threw " + name(failure);
  }

  private static String place(JacksonException failure) {
    TokenStreamLocation at = failure.getLocation();
    String line =
        at == null || at.getLineNr() < 1
            ? ""
            : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    String path = path(failure).map(JsonFailure::step).collect(Collectors.joining("."));
    return line + (path.isEmpty() ? "" : " in " + path);
  }

  /** Returns the path without an unknown field, because the name of such a field is content. */
  private static Stream<Reference> path(JacksonException failure) {
    int unknown = failure instanceof UnrecognizedPropertyException ? 1 : 0;
    return failure.getPath().stream().limit(failure.getPath().size() - unknown);
  }

  private static List<String> known(UnrecognizedPropertyException failure) {
    Collection<Object> known = failure.getKnownPropertyIds();
    return known == null ? List.of() : known.stream().map(String::valueOf).sorted().toList();
  }

  /**
   * Returns a property name, which belongs to the class; hides keys of a map, which are content.
   */
  private static String step(Reference reference) {
    String property = reference.getPropertyName();
    if (property == null) {
      return "[" + reference.getIndex() + "]";
    }
    return reference.from() instanceof Map ? "[key]" : property;
  }

  /**
   * Returns the exception of the application's code, or null. A value that does not fit has a
   * cause, too (for example of the JDK's date parser), but that one is not the application's and
   * quotes the content.
   */
  private static @Nullable Throwable applicationCause(JacksonException failure) {
    if (failure instanceof MismatchedInputException || failure instanceof StreamReadException) {
      return null;
    }
    Throwable cause = failure.getCause();
    while (cause instanceof JacksonException) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static String name(Throwable failure) {
    return failure.getClass().getName();
  }

  /** Replaces an exception of Jackson: has its type, position and stack trace, and not its text. */
  static final class Redacted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Redacted(JacksonException original) {
      super(name(original) + place(original));
      setStackTrace(original.getStackTrace());
    }
  }
}
