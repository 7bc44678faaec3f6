package io.postroad.example.payments.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Rows;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Checks that hold at any time. Used by one thread. */
final class ServiceChecks {
  private final Service service;
  private final Application application;
  private final Rows rows;
  private final Checks checks;

  ServiceChecks(Service service, Rows rows, Checks checks) {
    this.service = service;
    this.application = service.application();
    this.rows = rows;
    this.checks = checks;
  }

  /** Checks the balances when no process is running. */
  void books() throws SQLException {
    checks.that(
        rows.count(
                """
                account AS a WHERE available_balance <> (
                  SELECT COALESCE(SUM(CASE transaction_type WHEN 'CREDIT' THEN amount ELSE -amount END), 0)
                  FROM transaction AS t WHERE t.account_id = a.account_id)
                """)
            == 0,
        "every balance is what its transactions add up to");
    checks.that(
        rows.count(
                """
                account_limit AS l WHERE utilized_amount <> (
                  SELECT COALESCE(SUM(amount), 0) FROM limit_booking AS b
                  WHERE b.limit_id = l.limit_id AND status = 'BOOKED')
                """)
            == 0,
        "every limit is used by its bookings");
    checks.that(
        rows.count(
                """
                payment AS p WHERE NOT EXISTS (
                  SELECT 1 FROM transaction AS t
                  WHERE t.booking_id = p.payment_id AND t.account_id = p.debit_account_id
                    AND t.transaction_type = 'DEBIT' AND t.amount = p.debit_amount)
                """)
            == 0,
        "every payment was debited");
    checks.that(
        rows.count(
                """
                transaction AS t WHERE transaction_type = 'DEBIT'
                  AND NOT EXISTS (SELECT 1 FROM payment AS p WHERE p.payment_id = t.booking_id)
                  AND NOT EXISTS (SELECT 1 FROM transaction AS r
                    WHERE r.booking_id = t.booking_id AND r.transaction_type = 'CREDIT')
                """)
            == 0,
        "and no debit is without its payment");
    checks.that(
        rows.count(
                    """
                    limit_booking AS b WHERE status = 'BOOKED'
                      AND NOT EXISTS (SELECT 1 FROM payment AS p WHERE p.payment_id = b.booking_id)
                    """)
                + rows.count(
                    """
                    payment AS p JOIN account AS a ON a.account_id = p.debit_account_id
                    WHERE a.limit_based AND NOT EXISTS (
                      SELECT 1 FROM limit_booking AS b
                      WHERE b.booking_id = p.payment_id AND b.amount = p.debit_amount
                        AND b.status = 'BOOKED')
                    """)
            == 0,
        "limits are used by the existing payments, and by nothing else");
    checks.that(
        rows.count(
                """
                fx_contract AS f WHERE (status = 'BOOKED') <> EXISTS (
                  SELECT 1 FROM payment AS p WHERE p.fx_contract_id = f.fx_contract_id)
                """)
            == 0,
        "contracts hold for the existing payments, and all others are unwound");
  }

  /**
   * Checks refused requests.
   *
   * @param payment a payment of the account
   */
  void refusals(UUID account, UUID payment) throws IOException, InterruptedException, SQLException {
    long processes = rows.count("process_instance");
    checks.isProblem(
        service.pay(UUID.randomUUID(), account, new BigDecimal(-1), new BigDecimal(-1), "USD"),
        400,
        "debitAmount.amount",
        "a negative amount");
    checks.isProblem(
        service.pay(UUID.randomUUID(), UUID.randomUUID(), BigDecimal.ONE, BigDecimal.ONE, "USD"),
        404,
        "debitAccountId",
        "an unknown account");
    checks.isProblem(
        service.pay(payment, account, BigDecimal.ONE, BigDecimal.ONE, "USD"),
        409,
        "paymentId",
        "a payment that was made");
    checks.that(rows.count("process_instance") == processes, "and none of them started a process");
  }

  void numbers(Duration atMost) throws IOException, InterruptedException, SQLException {
    checks.that(
        Await.<SQLException>until(
            () -> rows.count("outbox WHERE status <> 'DISPATCHED'") == 0, atMost),
        "everything in the outbox is DISPATCHED");
    checks.that(
        rows.count("process_instance WHERE status IN ('RUNNING', 'COMPENSATING')") == 0,
        "no process is running");
    checks.that(application.get("/health").body().contains("\"status\":\"UP\""), "health is UP");
    checks.that(
        application.get("/prometheus").body().contains("outbox_pending_events"),
        "Prometheus has the backlog of the outbox");
  }
}
