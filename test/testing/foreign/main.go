// A receiver, POST /right, and how many effects it had: GET /right/effects.
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
	secret = os.Args[1]
	mutex  sync.Mutex
	seen   = map[string]bool{}
	digits = regexp.MustCompile(`^[0-9]{1,12}$`)
)

func isValid(header http.Header, body []byte) bool {
	id, at, given := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || strings.Contains(id, ".") || !digits.MatchString(at) {
		return false
	}
	seconds, _ := strconv.ParseInt(at, 10, 64)
	if age := time.Now().Unix() - seconds; age > 300 || age < -300 {
		return false
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

func receive(request *http.Request) int {
	body, err := io.ReadAll(io.LimitReader(request.Body, 1<<20+1))
	if err != nil || len(body) > 1<<20 {
		return 413
	}
	if !isValid(request.Header, body) {
		return 400
	}
	if !json.Valid(body) {
		return 422
	}
	mutex.Lock()
	defer mutex.Unlock()
	seen[request.Header.Get("webhook-id")] = true
	return 204
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		if request.Method == http.MethodGet && strings.HasSuffix(request.URL.Path, "/effects") {
			mutex.Lock()
			defer mutex.Unlock()
			fmt.Fprint(response, len(seen))
		} else if request.Method == http.MethodPost {
			response.WriteHeader(receive(request))
		} else {
			response.WriteHeader(http.StatusMethodNotAllowed)
		}
	})))
}
