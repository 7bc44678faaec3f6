package io.postroad.spring.boot.traced;

import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import org.springframework.stereotype.Component;

/** One step. */
@Component
class PlaceProcess implements ProcessConfiguration {

  @Override
  public String getProcessType() {
    return "Place";
  }

  @Override
  public ProcessGraph defineProcess() {
    return process().startWith(BuildCommand.class).end();
  }
}
