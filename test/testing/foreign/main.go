// A receiver for each fault, by path: POST /FAULT, GET /FAULT/effects. Without a fault of that name it is right.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	secret  = os.Args[1]
	mutex   sync.Mutex
	seen    = map[string]bool{}
	effects = map[string]int{}
	digits  = regexp.MustCompile(`^[0-9]{1,12}$`)
)

func isValid(fault string, header http.Header, body []byte) bool {
	id, at, given := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if fault == "no-header" && given == "" {
		return true
	}
	if id == "" || strings.Contains(id, ".") || !digits.MatchString(at) {
		return false
	}
	seconds, _ := strconv.ParseInt(at, 10, 64)
	age := time.Now().Unix() - seconds
	if fault != "no-time" && (age > 300 || (age < -300 && fault != "past-only")) {
		return false
	}
	key, _ := base64.StdEncoding.DecodeString(secret[6:])
	if fault == "secret-text" {
		key = []byte(secret)
	}
	if fault == "trim" {
		body = bytes.TrimSpace(body)
	}
	if fault == "reparse" {
		var value any
		if json.Unmarshal(body, &value) != nil {
			return false
		}
		body, _ = json.Marshal(value)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + at + "."))
	mac.Write(body)
	digest := mac.Sum(nil)
	wanted := base64.StdEncoding.EncodeToString(digest)
	matches := false
	for index, entry := range strings.SplitN(given, " ", 17) {
		if !strings.HasPrefix(entry, "v1,") || (fault == "first-only" && index > 0) {
			continue
		}
		own := entry[3:]
		decoded, err := base64.StdEncoding.DecodeString(own)
		isDecoded := fault == "decoded" && err == nil && hmac.Equal(decoded, digest)
		isPrefix := fault == "prefix" && strings.HasPrefix(wanted, own)
		matches = matches || isDecoded || isPrefix || hmac.Equal([]byte(own), []byte(wanted))
	}
	return matches
}

func receive(fault string, request *http.Request) int {
	body, err := io.ReadAll(io.LimitReader(request.Body, 1<<20+1))
	if err != nil || len(body) > 1<<20 {
		return 413
	}
	if !isValid(fault, request.Header, body) {
		if fault == "answers-200" {
			return 200
		}
		return 400
	}
	if !json.Valid(body) {
		return 422
	}
	name := "webhook-id"
	if fault == "by-signature" {
		name = "webhook-signature"
	}
	mark := fault + " " + request.Header.Get(name)
	mutex.Lock()
	defer mutex.Unlock()
	if !seen[mark] || fault == "no-dedupe" {
		seen[mark] = true
		effects[fault]++
	}
	return 204
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		fault, rest, _ := strings.Cut(request.URL.Path[1:], "/")
		if request.Method == http.MethodGet && rest == "effects" {
			mutex.Lock()
			defer mutex.Unlock()
			fmt.Fprint(response, effects[fault])
		} else if request.Method == http.MethodPost {
			response.WriteHeader(receive(fault, request))
		} else {
			response.WriteHeader(http.StatusMethodNotAllowed)
		}
	})))
}
