package io.postroad.spring.boot.traced;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.process.ProcessManager;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Starts a process of one step, whose handler appends an event. */
@Service
class PlaceService {
  private final Outbox<?> outbox;
  private final ProcessManager<?> processes;

  PlaceService(Outbox<?> outbox, ProcessManager<?> processes) {
    this.outbox = outbox;
    this.processes = processes;
  }

  @Transactional
  void place(String name) {
    UUID unused = processes.startProcess("Place", name, Map.of("name", name));
  }

  @Transactional
  public void build(BuildCommand command) {
    var unused =
        outbox.append(Message.event("Built").to("places").key(command.name()).json("{}").build());
  }
}
