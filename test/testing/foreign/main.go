// Two receivers, by path: POST /right, POST /reparse, and how many effects each had: GET /right/effects.
package main

import (
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
	if id == "" || strings.Contains(id, ".") || !digits.MatchString(at) {
		return false
	}
	seconds, _ := strconv.ParseInt(at, 10, 64)
	if age := time.Now().Unix() - seconds; age > 300 || age < -300 {
		return false
	}
	if fault == "reparse" {
		var value any
		if json.Unmarshal(body, &value) != nil {
			return false
		}
		body, _ = json.Marshal(value)
	}
	key, _ := base64.StdEncoding.DecodeString(secret[6:])
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + at + "."))
	mac.Write(body)
	wanted := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, entry := range strings.SplitN(given, " ", 17) {
		if hmac.Equal([]byte(entry), []byte(wanted)) {
			return true
		}
	}
	return false
}

func receive(fault string, request *http.Request) int {
	body, err := io.ReadAll(io.LimitReader(request.Body, 1<<20+1))
	if err != nil || len(body) > 1<<20 {
		return 413
	}
	if !isValid(fault, request.Header, body) {
		return 400
	}
	if !json.Valid(body) {
		return 422
	}
	mark := fault + " " + request.Header.Get("webhook-id")
	mutex.Lock()
	defer mutex.Unlock()
	if !seen[mark] {
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
