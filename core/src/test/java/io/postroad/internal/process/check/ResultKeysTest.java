package io.postroad.internal.process.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResultKeysTest {
  record Booking(String limitId, int count, Optional<String> note, @Nullable String remark) {}

  /** What handlers return. */
  interface Handlers {
    void nothing();

    Booking record();

    String text();

    int number();

    List<String> list();

    Map<String, Object> map();

    Object anything();

    Optional<Booking> perhaps();
  }

  private static Optional<Set<String>> of(String method) throws NoSuchMethodException {
    Type type = Handlers.class.getMethod(method).getGenericReturnType();
    return ResultKeys.of(type);
  }

  @Test
  void theComponentsOfARecordAreAlwaysInTheReply() throws Exception {
    assertThat(of("record")).hasValue(Set.of("limitId", "count"));
  }

  @Test
  void nothingAndSingleValuesAreKnownToo() throws Exception {
    assertThat(of("nothing")).hasValue(Set.of());
    assertThat(of("text")).hasValue(Set.of("value"));
    assertThat(of("number")).hasValue(Set.of("value"));
    assertThat(of("list")).hasValue(Set.of("value"));
  }

  @Test
  void whatCanBeAnythingIsNotKnown() throws Exception {
    assertThat(of("map")).isEmpty();
    assertThat(of("anything")).isEmpty();
    assertThat(of("perhaps")).isEmpty();
  }
}
