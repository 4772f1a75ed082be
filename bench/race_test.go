//go:build bench && race

package main

// ofRaceDetector is how many allocations of a request the race detector makes.
const ofRaceDetector = 8
