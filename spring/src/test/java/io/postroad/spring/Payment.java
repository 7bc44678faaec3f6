package io.postroad.spring;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An entity as JPA wants it. */
@Entity
@Table(name = "payment")
class Payment {
  @Id private String id = "";

  @Column(nullable = false)
  private String status = "";

  protected Payment() {}

  Payment(String id, String status) {
    this.id = id;
    this.status = status;
  }

  String id() {
    return id;
  }

  void approve() {
    status = "APPROVED";
  }
}
