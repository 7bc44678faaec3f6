package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Runs on a broker of ours even where ARTEMIS_URL is set: hurting it is the point. That messages
 * survive is shown by the module jms, which has a client.
 */
final class ArtemisServerTest {
  private static ArtemisServer server;

  @BeforeAll
  static void start() {
    server = ArtemisServer.local(ServerOptions.defaults());
    server.start();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  void killAndRestartKeepUrlAndQueues() {
    String url = server.url();
    server.declareQueue("kept");

    server.kill();
    assertThatThrownBy(() -> server.declareQueue("while.dead"))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("cannot declare queue while.dead");
    server.restart();

    assertThat(server.url()).isEqualTo(url);
    assertThatThrownBy(() -> server.declareQueue("kept"))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("already exists");
  }

  @Test
  void stopAndStartKeepTheQueues() {
    server.declareQueue("stopped");
    server.stop();
    server.start();
    assertThatThrownBy(() -> server.declareQueue("stopped")).hasMessageContaining("already exists");
  }

  @Test
  void aFrozenBrokerAnswersWhenItIsUnfrozen() throws Exception {
    server.freeze();
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(() -> server.declareQueue("frozen"));
    assertThat(answer).isNotDone();
    server.unfreeze();
    assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("frozen");
  }

  @Test
  void aBrokerFromTheEnvironmentIsUsedButNeverHurt() {
    ArtemisServer external = ArtemisServer.external(server.url());
    external.start();
    external.declareQueue("external");
    assertThatIllegalStateException()
        .isThrownBy(external::kill)
        .withMessageContaining("ARTEMIS_URL points to: it is not ours");
    external.close();
    assertThat(server.declareQueue("after.external")).isEqualTo("after.external");
  }

  @Test
  void aBrokerThatIsNotThereIsSaidSo() {
    ArtemisServer nobody = ArtemisServer.external("tcp://127.0.0.1:1");
    assertThatThrownBy(nobody::start)
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("cannot connect at Artemis of tcp://127.0.0.1:1");
  }
}
