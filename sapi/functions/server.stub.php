<?php

/** @generate-function-entries */

/**
 * What serves this request.
 *
 * @return array{version: string, mode: string, threads: int, queued: int}
 *         version: of ephpmd; mode: "request" or "worker"; threads: PHP threads that serve the site;
 *         queued: requests that wait for one of them at this moment.
 */
function ephpm_info(): array {}

/**
 * Sends the whole response to the client and lets the script go on without it. What the script
 * prints afterwards is dropped and never ends it.
 *
 * @return bool false if the response was finished before
 */
function ephpm_finish_request(): bool {}

/**
 * The headers of the request as the client sent them; repeated ones are joined with ", ".
 *
 * @return array<string, string> name => value
 */
function getallheaders(): array {}

/** @alias getallheaders */
function apache_request_headers(): array {}

/** @alias ephpm_finish_request */
function fastcgi_finish_request(): bool {}
