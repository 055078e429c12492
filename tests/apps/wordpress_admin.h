#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/browser.h"
#include "tests/apps/wordpress_site.h"

namespace ephpm::apps {

inline constexpr const char* kSiteTitle = "Harbour Notes";
inline constexpr const char* kAdministrator = "harbourmaster";
inline constexpr const char* kPassword = "a long & odd+password 7%";

/// Goes through the web installer up to its last page, whose text is returned by it.
Page InstallWordPress(Browser& browser);
/// Types name and password into the login form at the login page `login` and sends it.
Page LogIn(Browser& browser, const Page& login, const std::string& password);

/// Somebody who works in wp-admin and over the REST interface, logged in as the administrator.
///
/// Belongs to the test's thread. Throws std::runtime_error if WordPress does not do what was asked.
class Administrator {
 public:
  /// Logs in.
  explicit Administrator(const WordPressSite& site);

  Browser& browser() { return browser_; }
  /// Goes on, still logged in, at the server that `site` has started since.
  void MoveTo(const WordPressSite& site);
  /// Makes posts appear under "/their-name/".
  void UsePostNamesInAddresses();
  /// Uploads through the media library, with a form. What the library knows of the file.
  nlohmann::json UploadWithForm(const std::string& file_name, const std::string& png);
  /// Uploads as the block editor does, with the bytes as the body.
  nlohmann::json UploadOverRest(const std::string& file_name, const std::string& png);
  /// Sends `body` to the REST interface and returns what it made.
  nlohmann::json Rest(const std::string& route, const nlohmann::json& body);

 private:
  nlohmann::json RestAnswer(const std::string& route, Request request);

  Browser browser_;
  std::string rest_nonce_;
};

}  // namespace ephpm::apps
