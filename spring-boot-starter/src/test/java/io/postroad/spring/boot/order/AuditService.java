package io.postroad.spring.boot.order;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** As many write them: not public. */
@Service
class AuditService {
  private final OrderRows rows;

  AuditService(OrderRows rows) {
    this.rows = rows;
  }

  @Transactional
  public void audit(AuditCommand command) {
    rows.insert("audits", command.orderId());
  }
}
