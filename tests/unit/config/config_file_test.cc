#include <gmock/gmock.h>

#include "config/config.h"
#include "session.h"

namespace ephpm::config::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ConfigFile, ThatIsMissingIsAnError) {
  const ConfigError error = ErrorOf([] { LoadConfig("/nowhere/ephpm.toml", {}, {}); });
  EXPECT_STREQ(error.what(),
               "/nowhere/ephpm.toml: cannot read the configuration: No such file or directory");
  EXPECT_EQ(error.file(), "/nowhere/ephpm.toml");
  EXPECT_EQ(error.line(), 0);
}

TEST(ConfigFile, ThatIsAFolderIsAnError) {
  const Folder folder;
  const ConfigError error = ErrorOf([&] { LoadConfig(folder.path().string(), {}, {}); });
  EXPECT_THAT(error.what(), EndsWith("cannot read the configuration: it is a folder"));
}

TEST(ConfigFile, ThatIsHugeIsRefused) {
  EXPECT_THAT(FileError(std::string(1024 * 1024 + 1, '#')), EndsWith("it is larger than 1M"));
  EXPECT_NO_THROW(FromFile(std::string(1024 * 1024, '#')));
}

TEST(ConfigFile, MayBeEmpty) { EXPECT_EQ(FromFile("").config.php.queue, 1024u); }

TEST(ConfigFile, SyntaxErrorsNameLineAndColumn) {
  const ConfigError error = ErrorOf([] { FromFile("[php]\nqueue = 1\nworkers = = 2"); });
  EXPECT_EQ(error.line(), 3);
  EXPECT_EQ(error.column(), 11);
  EXPECT_THAT(error.what(), HasSubstr("ephpm.toml:3:11: "));
}

TEST(ConfigFile, AnOpenBracketIsAnErrorLikeOthers) {
  EXPECT_THAT(FileError("[\n"), HasSubstr("is not TOML"));
  EXPECT_THAT(FileError("[server]\n[\n"), HasSubstr("is not TOML"));
}

TEST(ConfigFile, AKeyThatStandsTwiceIsAnError) {
  EXPECT_THAT(FileError("[php]\nqueue = 1\nqueue = 2"), StartsWith(":3:"));
}

TEST(ConfigFile, BytesThatAreNoUtf8AreAnErrorOfOneLine) {
  const std::string message = FileError("[log]\nfile = \"\xff\xfe\"");
  EXPECT_THAT(message, StartsWith(":2:"));
  EXPECT_THAT(message, Not(HasSubstr("\n")));
}

TEST(ConfigFile, AnUnknownKeyNamesItsLineAndTheNearestKey) {
  const ConfigError error = ErrorOf([] { FromFile("[limits]\n\nheader_byte = \"1K\""); });
  EXPECT_EQ(error.line(), 3);
  EXPECT_EQ(error.key(), "limits.header_byte");
  EXPECT_THAT(error.what(), EndsWith("ephpm.toml:3: limits.header_byte: no such setting; the "
                                     "nearest is limits.header_bytes"));
}

TEST(ConfigFile, ARightWordInTheWrongSectionNamesTheRightSection) {
  EXPECT_EQ(FileError("document_root = \"/srv\""),
            ":1: document_root: no such setting; it is called server.document_root");
  EXPECT_EQ(FileError("[php]\nlisten = []"),
            ":2: php.listen: no such setting; it is called server.listen");
}

TEST(ConfigFile, AnUnknownSectionIsAnErrorEvenIfItIsEmpty) {
  EXPECT_EQ(FileError("[servers]\n"),
            ":1: servers: no such setting; the sections are server, limits, timeouts, php, log");
}

TEST(ConfigFile, AnUnknownKeyThatResemblesNothingNamesTheKeysOfItsSection) {
  EXPECT_EQ(FileError("[log]\nxqzwvbnmxqzwvbnm = 1"),
            ":2: log.xqzwvbnmxqzwvbnm: no such setting; there are log.level, log.format, log.file, "
            "log.access, log.access_file");
}

TEST(ConfigFile, ASectionThatIsNoSectionIsAnError) {
  EXPECT_EQ(FileError("php = 3"), ":1: php: this is a section; write [php] and its keys below");
  EXPECT_EQ(FileError("[[php]]\nqueue = 1"),
            ":1: php: this is a section; write [php] and its keys below");
  EXPECT_EQ(FileError("[php]\nini = \"memory_limit=1M\""),
            ":2: php.ini: this is a section; write [php.ini] and its keys below");
}

TEST(ConfigFile, ATableInPlaceOfAValueIsAnError) {
  EXPECT_EQ(FileError("[php.queue]\nlength = 3"),
            ":1: php.queue: expected an integer such as 4, found a table");
}

TEST(ConfigFile, DottedKeysAndInlineTablesMeanTheSame) {
  EXPECT_EQ(FromFile("php.queue = 5").config.php.queue, 5u);
  EXPECT_EQ(FromFile("php = { queue = 5 }").config.php.queue, 5u);
}

TEST(ConfigFile, RelativePathsStartAtItsFolder) {
  const Folder folder;
  const std::string path = folder.Write("etc/ephpm.toml", R"([server]
document_root = "../site"
[php]
ini_file = "php.ini"
temp_dir = "/var/tmp"
[log]
access_file = "./log/access.log")");
  const Config config = LoadConfig(path, {}, {}).config;
  const std::string root = folder.path().string();
  EXPECT_EQ(config.server.document_root, root + "/site");
  EXPECT_EQ(config.php.ini_file, root + "/etc/php.ini");
  EXPECT_EQ(config.php.temp_dir, "/var/tmp");
  EXPECT_EQ(config.log.access_file, root + "/etc/log/access.log");
}

TEST(ConfigFile, AnEmptyPathDoesNotBecomeAFolder) {
  EXPECT_EQ(FromFile("[log]\nfile = \"\"").config.log.file, "");
}

TEST(ConfigFile, RelativePathsOfOthersStayRelativeToTheWorkingDirectory) {
  const Folder folder;
  const std::string path = folder.Write("ephpm.toml", "[log]\nfile = \"a.log\"");
  const Config config =
      LoadConfig(path, {"EPHPM_LOG__FILE=b.log"}, {{"server.document_root", "site"}}).config;
  EXPECT_EQ(config.log.file, "b.log");
  EXPECT_EQ(config.server.document_root, "site");
}

}  // namespace
}  // namespace ephpm::config::testing
