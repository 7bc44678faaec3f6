package io.postroad.example.payment.infrastructure.adapter.out.persistence;

import org.springframework.data.jpa.repository.JpaRepository;

/** Rows of {@code payment}. */
interface PaymentJpaRepository extends JpaRepository<PaymentEntity, String> {}
