package io.postroad.micronaut.guide;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Map;
import java.util.UUID;

@Singleton
@Requires(env = "guide")
public class FxService {

  @Transactional
  public Map<String, Object> bookFx(BookFxCommand cmd) {
    return Map.of("fxContractId", UUID.randomUUID().toString());
  }

  @Transactional
  public void unwindFx(UnwindFxCommand cmd) {}
}
