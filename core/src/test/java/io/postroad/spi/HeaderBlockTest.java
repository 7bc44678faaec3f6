package io.postroad.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HeaderBlockTest {

  @Test
  void headersComeBackAsTheyWere() {
    Map<String, String> headers = Map.of("a", "1", "b-c", "x: y: z", "empty", "");

    assertThat(HeaderBlock.decode(HeaderBlock.encode(headers))).isEqualTo(headers);
    assertThat(HeaderBlock.encode(Map.of("a", "1"))).isEqualTo("a: 1\n");
    assertThat(HeaderBlock.decode("")).isEmpty();
  }

  @Test
  void somethingElseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HeaderBlock.decode("{\"a\":1}\n"))
        .withMessageContaining("name: value");
  }
}
