package io.postroad.spring.boot;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Warns of handlers that could use up the connection pool, so that requests would wait. */
final class PoolCheck implements SmartInitializingSingleton {
  private static final Logger LOG = LoggerFactory.getLogger(PoolCheck.class);

  private final HandlerShare share;

  PoolCheck(HandlerShare share) {
    this.share = share;
  }

  @Override
  public void afterSingletonsInstantiated() {
    warnings().forEach(LOG::warn);
  }

  List<String> warnings() {
    return share.warnings();
  }
}
