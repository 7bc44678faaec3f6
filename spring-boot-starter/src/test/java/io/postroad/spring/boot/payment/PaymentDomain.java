package io.postroad.spring.boot.payment;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;

/** A payment; here it is the entity, too. */
@Entity
@Table(name = "payments")
public class PaymentDomain {
  /** Of a payment. */
  public enum Status {
    PENDING,
    APPROVED
  }

  @Id
  @Column(name = "payment_id")
  private String paymentId = "";

  @Column(name = "user_id")
  private String userId = "";

  private BigDecimal amount = BigDecimal.ZERO;
  private String currency = "";

  @Enumerated(EnumType.STRING)
  private Status status = Status.PENDING;

  protected PaymentDomain() {}

  public PaymentDomain(String paymentId, String userId, BigDecimal amount, String currency) {
    this.paymentId = paymentId;
    this.userId = userId;
    this.amount = amount;
    this.currency = currency;
  }

  public void markApproved() {
    status = Status.APPROVED;
  }

  public String getPaymentId() {
    return paymentId;
  }

  public String getUserId() {
    return userId;
  }

  public BigDecimal getAmount() {
    return amount;
  }

  public String getCurrency() {
    return currency;
  }

  public Status getStatus() {
    return status;
  }
}
