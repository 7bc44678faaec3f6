package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.infrastructure.outbox.OutboxRepository;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows the state of the outbox; decisions about failed events are made at {@code
 * /actuator/postroad}.
 */
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class OutboxController {
  private final OutboxRepository outbox;

  OutboxController(OutboxRepository outbox) {
    this.outbox = outbox;
  }

  @GetMapping("/outbox/counts")
  Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    List.of("PENDING", "PROCESSING", "SENT", "FAILED")
        .forEach(status -> counts.put(status, outbox.countByStatus(status)));
    return counts;
  }
}
