package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FreePortTest {
  @Test
  void portsAreOutsideTheRangeOfOutgoingConnections() throws IOException {
    List<String> range = Files.readAllLines(Path.of("/proc/sys/net/ipv4/ip_local_port_range"));
    int firstOutgoing = Integer.parseInt(range.get(0).split("\\s+")[0]);
    assertThat(FreePort.firstEphemeral()).isEqualTo(firstOutgoing);
    for (int i = 0; i < 100; i++) {
      assertThat(FreePort.find()).isBetween(1024, firstOutgoing - 1);
    }
  }

  @Test
  void portsThatDoNotExistAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.defaults().withPort(65536))
        .withMessage("ServerOptions.port must be 0 (any free port) to 65535, got 65536");
  }
}
