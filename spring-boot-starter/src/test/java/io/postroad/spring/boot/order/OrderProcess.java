package io.postroad.spring.boot.order;

import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import org.springframework.stereotype.Component;

/** Two steps. */
@Component
public class OrderProcess implements ProcessConfiguration {

  @Override
  public String getProcessType() {
    return "Order";
  }

  @Override
  public ProcessGraph defineProcess() {
    return process().startWith(ReserveStockCommand.class).then(ShipOrderCommand.class).end();
  }
}
