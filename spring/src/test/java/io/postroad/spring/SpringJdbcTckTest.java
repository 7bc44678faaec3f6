package io.postroad.spring;

import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The contracts about transactions, and the flows that run in them, in Spring's transactions. */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("io.postroad.tck.contract")
@IncludeClassNamePatterns(
    ".*[.](UnitOfWork|AfterCommit|Transaction|EndedTransaction|InboxFlow|CommandFlow|CommandHere|CommandHandoff|CommandTrouble|ProcessFlow|ProcessCarry|LastTogether|ProcessUndo)Contract")
@ConfigurationParameter(key = StoreTck.FIXTURE, value = "io.postroad.spring.SpringJdbcFixture")
class SpringJdbcTckTest {}
