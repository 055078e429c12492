#include "server/private_names.h"

#include <gtest/gtest.h>

namespace ephpm::server {
namespace {

TEST(PrivateNames, KnowNamesThatLookLikePhpSource) {
  for (const char* name :
       {"a.php",        "a.PHP",         "a.Php",   "a.php~",       "a.php.bak",
        "a.php.swp",    "a.php.",        "a.php ",  "a.php%20",     "a.php.txt",
        "a.php5",       "a.php7",        "a.phtml", "a.PHTML",      "a.phar",
        "a.phar.gz",    "a.phps",        "a.phpt",  "a.pht",        "a.php_old",
        "a.php-2024",   "a.php::$DATA",  "#a.php#", "a.php.save.1", "wp-config.php.dist",
        "a.php.old.gz", "a.php\xC8\xBA", "a.php\n", ".php"}) {
    EXPECT_EQ(RuleForName(name), NameRule::kPhp) << name;
  }
}

TEST(PrivateNames, KnowSettingsDumpsAndBackups) {
  for (const char* name :
       {"a.inc", "a.INC", "a.module", "php.ini", "dump.sql", "dump.SQL.gz", "db.sqlite",
        "style.css~", "a.html.bak", "a.old", "a.orig", "a.txt.swp", "#a#", "a.save"}) {
    EXPECT_EQ(RuleForName(name), NameRule::kPrivate) << name;
  }
}

TEST(PrivateNames, LeaveOrdinaryFilesAlone) {
  for (const char* name :
       {"a.css", "a.js", "index.html", "photo.jpg", "a.txt", "index.php.html", "custom.php.css",
        "php", "php.png", "a.phpunit", "graph.json", "a.phone", "jquery.inc.js", "theme.css", "old",
        "inc", "", "a.sqlx", "profile.png"}) {
    EXPECT_EQ(RuleForName(name), NameRule::kPublic) << name;
  }
}

TEST(PrivateNames, OnlyTheExactExtensionExecutes) {
  EXPECT_TRUE(EndsInPhp("a.php"));
  EXPECT_TRUE(EndsInPhp("a.b.php"));
  for (const char* name :
       {"", "php", ".php", "a.PHP", "a.pHp", "a.php5", "a.php ", "a.phpx", "a.ph\xC8\xBA"}) {
    EXPECT_FALSE(EndsInPhp(name)) << name;
  }
}

TEST(PrivateNames, SegmentsWithADotAreHiddenButForWellKnown) {
  for (const char* path : {"/.env", "/.git/config", "/a/.htaccess", "/a/.b/c", "/.well-known2",
                           "/.well-known/.env", "/.well-known/..b", "/.Well-Known/a"}) {
    EXPECT_TRUE(HasHiddenSegment(path)) << path;
  }
  for (const char* path : {"/", "/a.b", "/a./b", "/.well-known", "/.well-known/acme-challenge/x",
                           "/index.php/.well-known/webfinger"}) {
    EXPECT_FALSE(HasHiddenSegment(path)) << path;
  }
}

}  // namespace
}  // namespace ephpm::server
