package io.postroad.micronaut;

import java.util.Map;

/** {@link TracesContract} on MongoDB. */
class TracesOnMongoTest extends TracesContract {
  TracesOnMongoTest() {
    super("traced-mongodb");
  }

  @Override
  Map<String, Object> freshDatabase() {
    return Apps.freshMongo("micronaut_traced");
  }
}
