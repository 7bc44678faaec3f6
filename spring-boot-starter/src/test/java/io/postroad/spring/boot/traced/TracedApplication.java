package io.postroad.spring.boot.traced;

import io.postroad.inbox.Handlers;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A web application as a service has it: actuator, Prometheus, traces, and no broker. */
@SpringBootApplication
class TracedApplication {

  @Bean
  EndedSpans endedSpans() {
    return new EndedSpans();
  }

  @Bean
  <T> Handlers<T> handlers() {
    return Handlers.<T>builder().onAny("places", "guide", (message, context) -> {}).build();
  }
}
