//go:build bench && !race

package main

// ofRaceDetector is how many allocations of a request the race detector makes, which is not there.
const ofRaceDetector = 0
