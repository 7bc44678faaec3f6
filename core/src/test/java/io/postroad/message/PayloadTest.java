package io.postroad.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PayloadTest {

  @Test
  void textStaysTextAndIsMeasuredInUtf8() {
    Payload payload = Payload.json("\"zażółć 😀\"");

    assertThat(payload.text()).contains("\"zażółć 😀\"");
    assertThat(payload.bytes()).isEqualTo("\"zażółć 😀\"".getBytes(StandardCharsets.UTF_8));
    assertThat(payload.size()).isEqualTo(payload.bytes().length);
    assertThat(payload.contentType()).isEqualTo("application/json");
  }

  @Test
  void textGivenAsUtf8IsTheSameAsText() {
    Payload text = Payload.json("\"zażółć 😀\"");
    byte[] utf8 = text.bytes();
    Payload payload = Payload.utf8(utf8, Payload.JSON);
    utf8[0] = 'x';

    assertThat(payload).isEqualTo(text).hasSameHashCodeAs(text);
    assertThat(text).isEqualTo(payload).isNotEqualTo(Payload.bytes(text.bytes(), Payload.JSON));
    assertThat(payload.isText()).isTrue();
    assertThat(payload.text()).isEqualTo(text.text());
    assertThat(payload.bytes()).isEqualTo(text.bytes());
    assertThat(payload.size()).isEqualTo(text.size());
  }

  @Test
  void bytesAreCopiedOnTheWayInAndOut() {
    byte[] mine = {1, 2, 3};
    Payload payload = Payload.bytes(mine, "application/octet-stream");
    mine[0] = 9;
    payload.bytes()[1] = 9;

    assertThat(payload.bytes()).containsExactly(1, 2, 3);
    assertThat(payload.text()).isEmpty();
  }

  @Test
  void textWithNulIsKeptAsBytes() {
    Payload payload = Payload.text("a\0b", "text/plain");

    assertThat(payload.isText()).isFalse();
    assertThat(payload.bytes()).containsExactly('a', 0, 'b');
  }

  @Test
  void loneSurrogatesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Payload.json("\"\udc00\""))
        .withMessageContaining("lone surrogate at index 1");
  }

  @Test
  void sameContentAndTypeAreEqual() {
    assertThat(Payload.json("{}"))
        .isEqualTo(Payload.json("{}"))
        .hasSameHashCodeAs(Payload.json("{}"));
    assertThat(Payload.json("{}")).isNotEqualTo(Payload.text("{}", "text/plain"));
    assertThat(Payload.bytes(new byte[] {1}, "a/b"))
        .isEqualTo(Payload.bytes(new byte[] {1}, "a/b"));
  }
}
