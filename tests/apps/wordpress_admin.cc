#include "tests/apps/wordpress_admin.h"

#include <stdexcept>
#include <utility>

namespace ephpm::apps {
namespace {

[[noreturn]] void Fail(const std::string& what, const Response& response) {
  constexpr std::size_t kLongest = 1000;
  throw std::runtime_error(what + ": status " + std::to_string(response.status) + "\n" +
                           response.body.substr(0, kLongest));
}

nlohmann::json ParseJson(const std::string& what, const Response& response) {
  nlohmann::json value = nlohmann::json::parse(response.body, nullptr, false);
  if (value.is_discarded()) Fail(what + " was not answered with JSON", response);
  return value;
}

}  // namespace

Page InstallWordPress(Browser& browser) {
  const Page welcome = browser.Open("/wp-admin/install.php?step=1");
  Form form = FindForm(welcome.body, "id=\"setup\"");
  form.Set("weblog_title", kSiteTitle);
  form.Set("user_name", kAdministrator);
  form.Set("admin_password", kPassword);
  form.Set("admin_password2", kPassword);
  form.Set("admin_email", "master@example.test");
  form.Set("blog_public", "1");
  form.Set("Submit", "Install WordPress");
  return browser.Submit(welcome, form);
}

Page LogIn(Browser& browser, const Page& login, const std::string& password) {
  Form form = FindForm(login.body, "id=\"loginform\"");
  form.Set("log", kAdministrator);
  form.Set("pwd", password);
  form.Set("wp-submit", "Log In");
  return browser.Submit(login, form);
}

Administrator::Administrator(const WordPressSite& site) : browser_(site.Visitor()) {
  const Page arrived = LogIn(browser_, browser_.Open("/wp-login.php"), kPassword);
  if (arrived.target != "/wp-admin/") Fail("logging in led to " + arrived.target, arrived);
  const Page editor = browser_.Open("/wp-admin/post-new.php");
  rest_nonce_ = Between(editor.body, "wp.apiFetch.createNonceMiddleware( \"", "\"");
}

void Administrator::MoveTo(const WordPressSite& site) { browser_.MoveTo(site.endpoint()); }

void Administrator::UsePostNamesInAddresses() {
  const Page settings = browser_.Open("/wp-admin/options-permalink.php");
  Form form = FindForm(settings.body, "name=\"form\"");
  form.Set("selection", "/%postname%/");
  form.Set("permalink_structure", "/%postname%/");
  form.Set("submit", "Save Changes");
  const Page saved = browser_.Submit(settings, form);
  const Form after = FindForm(saved.body, "name=\"form\"");
  if (after.Get("permalink_structure") != "/%postname%/") Fail("permalinks were not saved", saved);
}

nlohmann::json Administrator::UploadWithForm(const std::string& file_name, const std::string& png) {
  const Page page = browser_.Open("/wp-admin/media-new.php");
  const std::string nonce = Between(page.body, "\"_wpnonce\":\"", "\"");
  MultipartBody body;
  body.Field("name", file_name).Field("action", "upload-attachment").Field("_wpnonce", nonce);
  body.File("async-upload", file_name, png, "image/png");
  const Page answer = browser_.Post("/wp-admin/async-upload.php", body);
  const nlohmann::json value = ParseJson("the upload", answer);
  if (!value.value("success", false)) Fail("the upload was refused", answer);
  return value["data"];
}

nlohmann::json Administrator::UploadOverRest(const std::string& file_name, const std::string& png) {
  return RestAnswer(
      "wp/v2/media",
      Request{.method = "POST",
              .headers = {{"Content-Type", "image/png"},
                          {"Content-Disposition", "attachment; filename=\"" + file_name + "\""}},
              .body = png});
}

nlohmann::json Administrator::Rest(const std::string& route, const nlohmann::json& body) {
  return RestAnswer(route, Request{.method = "POST",
                                   .headers = {{"Content-Type", "application/json"}},
                                   .body = body.dump()});
}

nlohmann::json Administrator::RestAnswer(const std::string& route, Request request) {
  // This address works with and without post names in addresses.
  request.target = "/?rest_route=/" + route;
  request.headers.emplace_back("X-WP-Nonce", rest_nonce_);
  const Response answer = browser_.Send(std::move(request));
  if (answer.status != 200 && answer.status != 201) Fail("REST " + route, answer);
  return ParseJson("REST " + route, answer);
}

}  // namespace ephpm::apps
