package io.postroad.micronaut.order;

import io.micronaut.context.annotation.Requires;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import jakarta.inject.Singleton;

@Singleton
@Requires(property = "test.order")
public class OrderProcess implements ProcessConfiguration {

  @Override
  public String getProcessType() {
    return "Order";
  }

  @Override
  public ProcessGraph defineProcess() {
    return process()
        .startWith(OrderCommands.ReserveStockCommand.class)
        .then(OrderCommands.ShipOrderCommand.class)
        .end();
  }

  @Override
  public boolean isRetryable(String step, String error) {
    return false;
  }
}
