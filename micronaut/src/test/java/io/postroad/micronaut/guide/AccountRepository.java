package io.postroad.micronaut.guide;

import java.util.Optional;
import java.util.UUID;

public interface AccountRepository {
  void save(Account account);

  Optional<Account> findById(UUID accountId);
}
