package io.postroad.example.payment.infrastructure.adapter.out.persistence;

import io.postroad.example.payment.domain.PaymentDomain;
import io.postroad.example.payment.domain.PaymentStatus;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.springframework.data.domain.Persistable;

/** A row of {@code payment}. It is written once, so a saved entity is always new. */
@Entity
@Table(name = "payment")
class PaymentEntity implements Persistable<String> {
  @Id
  @Column(name = "payment_id", length = 36)
  private String paymentId = "";

  @Column(name = "user_id", length = 100, nullable = false)
  private String userId = "";

  @Column(precision = 19, scale = 4, nullable = false)
  private BigDecimal amount = BigDecimal.ZERO;

  @JdbcTypeCode(SqlTypes.CHAR)
  @Column(length = 3, nullable = false)
  private String currency = "";

  @Enumerated(EnumType.STRING)
  @JdbcTypeCode(SqlTypes.VARCHAR)
  @Column(length = 20, nullable = false)
  private PaymentStatus status = PaymentStatus.PENDING;

  protected PaymentEntity() {}

  PaymentEntity(PaymentDomain payment) {
    this.paymentId = payment.getPaymentId();
    this.userId = payment.getUserId();
    this.amount = payment.getAmount();
    this.currency = payment.getCurrency();
    this.status = payment.getStatus();
  }

  @Override
  public String getId() {
    return paymentId;
  }

  @Override
  public boolean isNew() {
    return true;
  }

  String getUserId() {
    return userId;
  }

  BigDecimal getAmount() {
    return amount;
  }

  String getCurrency() {
    return currency;
  }

  PaymentStatus getStatus() {
    return status;
  }
}
