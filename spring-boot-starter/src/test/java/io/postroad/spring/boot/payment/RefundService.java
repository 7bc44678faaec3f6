package io.postroad.spring.boot.payment;

import jakarta.persistence.EntityManager;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Has a handler that leaves the writing to JPA. */
@Service
public class RefundService {
  private final EntityManager entities;
  private final AtomicInteger calls = new AtomicInteger();

  public RefundService(EntityManager entities) {
    this.entities = entities;
  }

  @Transactional
  public void refund(RefundPaymentCommand command) {
    calls.incrementAndGet();
    entities.persist(new PaymentDomain(command.refundId(), "user-1", BigDecimal.ONE, "BRL"));
  }

  public int calls() {
    return calls.get();
  }
}
